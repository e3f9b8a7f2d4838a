import { useState } from "react";
import { Banner } from "../banner.tsx";
import { BarChart } from "../bar-chart.tsx";
import { Button } from "../button.tsx";
import { EmptyState } from "../empty-state.tsx";
import { ErrorState } from "../error-state.tsx";
import css from "../gallery.module.css";
import { addIcons, Icon } from "../icon.tsx";
import { type IconName, PATHS } from "../icon-paths.ts";
import { MEMBER_PATHS } from "../member-icon-paths.ts";
import { Menu } from "../menu.tsx";
import { ProgressBar } from "../progress-bar.tsx";
import { Sheet } from "../sheet.tsx";
import { Skeleton } from "../skeleton.tsx";
import { Stat, StatRow } from "../stat.tsx";
import { TextArea } from "../text-area.tsx";
import { Toast, useToast } from "../toast.tsx";
import { Specimen } from "./specimen.tsx";

addIcons(MEMBER_PATHS);

const noop = () => undefined;
const FOREVER_MS = 2 ** 31 - 1;

/** A plain list of specimens, so it stays in one function. */
export function States() {
  const [open, setOpen] = useState(false);
  const [report, setReport] = useState("");
  const toast = useToast();
  return (
    <>
      <Specimen name="EmptyState">
        <EmptyState
          figure="bench"
          title="Some day your prince will come..."
          text="Until then: a new picture never hurt."
          action={<Button icon="camera" label="Add a picture" />}
        />
        <EmptyState figure="window" title="No messages found in your area." />
      </Specimen>
      <Specimen name="EmptyState, more">
        <EmptyState
          figure="hello"
          title="No conversations found"
          text="Someone has to say hello first."
          action={<Button variant="primary" label="Open the map" />}
        />
        <EmptyState figure="cactus" title="You've reached the end!" />
      </Specimen>
      <Specimen name="ErrorState">
        <ErrorState
          title="The line is dead."
          text="Your words are safe on this device and go out when it is back."
          retryLabel="Try again"
          onRetry={noop}
        />
      </Specimen>
      <Specimen name="Banner, Toast, ProgressBar">
        <Banner>This site is under active development.</Banner>
        <Banner tone="warn" action={<Button variant="quiet" label="Use walk mode" />}>
          GPS: Geolocation timed out
        </Banner>
        <Banner tone="success">Uploaded</Banner>
        <Banner tone="danger">Error: the file is larger than 8 MB.</Banner>
        <Toast text="Message deleted" ms={FOREVER_MS} onClose={noop} />
        <Toast text="Saved" tone="success" ms={FOREVER_MS} onClose={noop} />
        <ProgressBar value={0.62} label="Uploading pier.jpg" showLabel />
        <ProgressBar label="Preparing your export" showLabel />
      </Specimen>
      <Specimen name="Sheet, Menu, useToast">
        <div className="row wrap gap-3">
          <Button label="Report Violation" onClick={() => setOpen(true)} />
          <Button label="Toast" onClick={() => toast({ text: "You are hiding..." })} />
          <Menu
            label="More"
            tone="raised"
            items={[
              { label: "Edit", icon: "edit", onSelect: noop },
              { label: "Block / Ignore", icon: "block", onSelect: noop, danger: true },
              { label: "Report Violation", icon: "flag", onSelect: noop, danger: true },
            ]}
          />
        </div>
        <Sheet
          open={open}
          onClose={() => setOpen(false)}
          title="What happened?"
          closeLabel="Close"
          footer={
            <>
              <Button label="Cancel" onClick={() => setOpen(false)} />
              <Button variant="primary" label="Send report" onClick={() => setOpen(false)} />
            </>
          }
        >
          <TextArea
            label="In your words"
            help="A person reads this, nobody else."
            value={report}
            max={4000}
            onValue={setReport}
          />
        </Sheet>
      </Specimen>
      <Specimen name="Skeleton">
        <Skeleton shape="rows" count={3} label="Loading conversations" />
        <Skeleton shape="tiles" count={8} />
      </Specimen>
      <Specimen name="Skeleton profile" wide>
        <Skeleton shape="profile" />
      </Specimen>
      <Specimen name="Stat, BarChart" wide>
        <StatRow>
          <Stat label="USER" value="1,204" />
          <Stat label="ADMIN" value="3" />
          <Stat label="GUEST" value="87" />
        </StatRow>
        <BarChart
          title="Users Count by Role"
          nameAxis="Role"
          valueAxis="Members"
          bars={[
            { name: "USER", value: 1204 },
            { name: "GUEST", value: 387 },
            { name: "ADMIN", value: 3 },
          ]}
          format={(value) => value.toLocaleString("en")}
        />
      </Specimen>
      <Specimen name="Icon" wide>
        <ul className={`stack plain-list ${css.icons}`}>
          {(Object.keys({ ...PATHS, ...MEMBER_PATHS }) as IconName[]).map((name) => (
            <li key={name}>
              <Icon name={name} />
              <span>{name}</span>
            </li>
          ))}
        </ul>
      </Specimen>
    </>
  );
}
