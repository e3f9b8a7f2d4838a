import { useState } from "react";
import { Button } from "../button.tsx";
import { Checkbox } from "../checkbox.tsx";
import { Chip, ChipRow } from "../chip.tsx";
import { DropZone } from "../drop-zone.tsx";
import { FormSection } from "../form-section.tsx";
import { IconButton } from "../icon-button.tsx";
import { RadioGroup } from "../radio-group.tsx";
import { RangeSlider } from "../range-slider.tsx";
import { SaveState } from "../save-state.tsx";
import { Segmented } from "../segmented.tsx";
import { Select } from "../select.tsx";
import { Switch } from "../switch.tsx";
import { TextArea } from "../text-area.tsx";
import { TextField } from "../text-field.tsx";
import { Specimen } from "./specimen.tsx";

const noop = () => undefined;

/** A plain list of specimens, so it stays in one function. */
export function Controls() {
  const [text, setText] = useState(
    "Weekend hiker, weekday welder. Looking for someone to share a tent and bad coffee with.",
  );
  const [nsfw, setNsfw] = useState(true);
  const [range, setRange] = useState<[number, number]>([28, 45]);
  const [precision, setPrecision] = useState<"fine" | "near" | "town">("fine");
  const [mode, setMode] = useState<"walk" | "gps">("walk");
  const [tags, setTags] = useState<readonly string[]>(["Hosting", "Coffee"]);
  const [labels, setLabels] = useState(true);
  return (
    <>
      <Specimen name="Button">
        <div className="row wrap gap-3">
          <Button variant="primary" label="Say hello" />
          <Button label="Not now" />
          <Button variant="quiet" label="Forgot Password?" />
          <Button variant="danger" icon="trash" label="Delete" />
          <Button variant="primary" icon="heart" label="Like" />
          <Button href="#button" icon="user" label="View Profile" />
          <Button variant="primary" busy label="Sending" />
          <Button disabled label="Send" />
        </div>
        <Button variant="primary" full label="Request login link" />
      </Specimen>
      <Specimen name="IconButton">
        <div className="row wrap gap-3">
          <IconButton icon="menu" label="Menu" />
          <IconButton icon="bell" label="Notifications" badge={3} badgeLabel="3 new" />
          <IconButton icon="walk" label="Walk" tone="raised" pressed />
          <IconButton icon="gps" label="GPS" tone="raised" />
          <IconButton icon="me" label="Me" tone="raised" showLabel={labels} onClick={() => setLabels(!labels)} />
          <IconButton icon="heart" label="Nice" tone="accent" size="large" />
          <IconButton icon="skip" label="Skip" tone="raised" size="large" />
          <IconButton icon="undo" label="Undo" disabled />
        </div>
      </Specimen>
      <Specimen name="TextField">
        <TextField
          autoComplete="off"
          label="Profile name"
          defaultValue="Marco"
          help="Others see this, at most 12 letters of it on a tile."
        />
        <TextField
          autoComplete="off"
          label="Email"
          type="email"
          defaultValue="marco.example"
          error="An address has an @ in it."
        />
        <TextField
          label="Password"
          type="password"
          defaultValue="correct horse"
          reveal={{ show: "Show password", hide: "Hide password" }}
          autoComplete="off"
        />
        <TextField autoComplete="off" label="Weight" defaultValue="82" disabled />
      </Specimen>
      <Specimen name="TextArea">
        <TextArea label="About you" value={text} max={4000} onValue={setText} />
        <TextArea label="Note" value="Too long" max={4} onChange={noop} error="Four letters are enough for anyone." />
      </Specimen>
      <Specimen name="Select, RangeSlider">
        <Select
          label="Remind me"
          options={[
            { value: "day", label: "Every day" },
            { value: "week", label: "Once a week" },
          ]}
        />
        <RangeSlider
          label="Age"
          min={18}
          max={99}
          value={range}
          onChange={setRange}
          thumbLabels={["Youngest", "Oldest"]}
          format={([from, to]) => `${from} to ${to}`}
        />
      </Specimen>
      <Specimen name="Checkbox, Switch">
        <Checkbox label="Remember me" defaultChecked />
        <Checkbox label="I am 18 or older" error="You must be 18 or older to come in." />
        <Checkbox label="Not today" disabled />
        <Switch label={nsfw ? "Showing NSFW" : "Hiding NSFW"} checked={nsfw} onChange={setNsfw} />
        <Switch label="Push on this device" help="Never says who wrote, or what." checked={false} onChange={noop} />
      </Specimen>
      <Specimen name="RadioGroup, Segmented">
        <RadioGroup
          label="How exactly others may find you"
          value={precision}
          onChange={setPrecision}
          options={[
            { value: "fine", label: "About 550 m", help: "A few streets. Good in a city." },
            { value: "near", label: "About 1.1 km" },
            { value: "town", label: "About 5 km", help: "Good in the country." },
          ]}
        />
        <Segmented
          label="Position from"
          value={mode}
          onChange={setMode}
          options={[
            { value: "walk", label: "Walk", icon: "walk" },
            { value: "gps", label: "GPS", icon: "gps" },
          ]}
        />
      </Specimen>
      <Specimen name="Chip">
        <ChipRow label="Meet">
          {["Hosting", "Traveling", "Cruising", "Bar", "Coffee"].map((tag) => (
            <Chip
              key={tag}
              selected={tags.includes(tag)}
              label={tag}
              onToggle={(on) => setTags(on ? [...tags, tag] : tags.filter((other) => other !== tag))}
            />
          ))}
        </ChipRow>
        <ChipRow label="Private tags">
          <Chip label="met at the pier" onRemove={noop} removeLabel="Remove tag met at the pier" />
          <Chip label="call him" onRemove={noop} removeLabel="Remove tag call him" />
        </ChipRow>
        <div className="row wrap gap-3">
          <Chip selected label="Bear" />
          <Chip label="Leather" />
          <Chip label="Outdoors" />
          <Chip label="Vax+" />
        </div>
      </Specimen>
      <Specimen name="DropZone">
        <DropZone
          accept="image/png,image/jpeg,image/webp"
          label="Choose a picture"
          help="PNG, JPEG or WebP, up to 8 MB. Where and when it was taken is removed."
          onFiles={noop}
        />
      </Specimen>
      <Specimen name="FormSection, SaveState" wide>
        <FormSection
          title="The basics"
          text="What a man reads first."
          aside={<SaveState state="saved">Saved</SaveState>}
        >
          <TextField autoComplete="off" label="Height" defaultValue="183 cm" />
          <div className="row wrap gap-3">
            <SaveState state="saving">Saving</SaveState>
            <SaveState state="failed">Not saved</SaveState>
          </div>
        </FormSection>
      </Specimen>
    </>
  );
}
