import { Avatar } from "../avatar.tsx";
import { Badge } from "../badge.tsx";
import { Bubble } from "../bubble.tsx";
import { Button } from "../button.tsx";
import { Card, CardDeck } from "../card.tsx";
import { DateMarker } from "../date-marker.tsx";
import css from "../gallery.module.css";
import { Icon } from "../icon.tsx";
import { IconButton } from "../icon-button.tsx";
import { ListRow } from "../list-row.tsx";
import { Picture } from "../picture.tsx";
import { Radar } from "../radar.tsx";
import { Tabs } from "../tabs.tsx";
import { Tile, TileGrid } from "../tile.tsx";
import { NAMES, portrait } from "./portraits.ts";
import { Specimen } from "./specimen.tsx";

const PIXELS =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 4 5' shape-rendering='crispEdges'%3E%3Cpath fill='%23432' d='M0 0h4v5H0z'/%3E%3Cpath fill='%23b76' d='M1 1h2v2H1z'/%3E%3Cpath fill='%23854' d='M0 3h3v1H0zM3 0h1v2H3z'/%3E%3Cpath fill='%23211' d='M1 4h2v1H1zM0 0h1v1H0z'/%3E%3C/svg%3E";

/** A plain list of specimens, so it stays in one function. */
export function Content() {
  return (
    <>
      <Specimen name="Tile, TileGrid" wide>
        <TileGrid label="Men near you">
          {Array.from({ length: 16 }, (_, index) => {
            const name = NAMES[index % NAMES.length] ?? "";
            return (
              <Tile
                // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list
                key={index}
                href={`#tile-${index}`}
                name={name}
                age={index % 5 === 4 ? undefined : 24 + ((index * 7) % 30)}
                distance={index < 2 ? `${(index + 1) * 420} ft` : `${(index * 0.73).toFixed(2)} mi`}
                src={index % 6 === 3 ? undefined : portrait(index)}
                online={index % 3 === 0 ? "online" : undefined}
                unread={index === 2 || index === 9 ? "unread message" : undefined}
                liked={index === 1 || index === 9 ? "liked" : undefined}
              />
            );
          })}
        </TileGrid>
      </Specimen>
      <Specimen name="Utilities">
        {["stack", "row", "wrap", "between"].map((name) => (
          <div key={name}>
            <p className="muted type-mark">{name} gap-2</p>
            <div className={`flex gap-2 ${name} pad-4 raised radius-2`}>
              {["Theo", "Marco", "Jules"].map((text) => (
                <span key={text} className="center tall pad-4 tint radius-2">
                  {text}
                </span>
              ))}
            </div>
          </div>
        ))}
        <ul className="plain-list">
          {["muted", "accent", "success", "warn", "danger", "bold", "type-mark", "type-lead", "type-name"].map(
            (name) => (
              <li key={name} className={name}>
                {name}
              </li>
            ),
          )}
        </ul>
      </Specimen>
      <Specimen name="Card" wide>
        <CardDeck>
          <Card
            href="#map"
            icon="map"
            title="Gaydar Map"
            text="Eleven men within a mile."
            weight="lead"
            backdrop={<Radar />}
          />
          <Card href="#tiles" icon="tiles" title="Profile Tiles" text="Faces first." weight="lead" />
          <Card href="#swype" icon="cards" title="Swype Profiles" text="One at a time, no hurry." />
          <Card
            href="#chat"
            icon="chat"
            title="Personal Chat"
            text="Theo: Coffee at the pier?"
            count={3}
            countLabel="3 unread"
          />
          <Card href="#likes" icon="heart" title="View Likes" text="Two men liked you this week." />
          <Card href="#games" icon="games" title="Community" text="Nine small games, some of them useful." />
          <Card href="#edit" icon="edit" title="Edit Profile" weight="quiet" />
          <Card href="#account" icon="gear" title="Account" weight="quiet" />
          <Card href="#about" icon="info" title="About Us" weight="quiet" />
          <Card href="#logout" icon="logout" title="Logout" weight="quiet" />
        </CardDeck>
      </Specimen>
      <Specimen name="ListRow, Avatar, Badge">
        <div className={css.bleed}>
          <ListRow
            href="#row-1"
            leading={<Avatar alt="" src={portrait(2)} online onlineLabel="online" />}
            title="Theo"
            text="Coffee at the pier? I can be there at six."
            time="14:05"
            unread
            mark={<Badge count={2} label="2 unread" />}
          />
          <ListRow
            href="#row-2"
            current
            leading={<Avatar alt="" src={portrait(4)} />}
            title="Dev"
            text="You: See you there"
            time="Tue"
          />
          <ListRow
            href="#row-3"
            leading={<Avatar alt="" initial="B" />}
            title="Bartholomew with a very long name that ends nowhere near the edge"
            text="And a line that is far too long to fit on one line of a telephone, let alone an old one."
            time="3 Nov"
            actions={<IconButton icon="trash" label="Delete conversation" />}
          />
        </div>
        <div className="row wrap gap-3">
          <Avatar alt="Marco" src={portrait(0)} size={72} online />
          <Avatar alt="Kit" size={72} />
          <Avatar alt="Anselm" src={portrait(5)} size={36} />
          <Badge count={7} label="7 unread" />
          <Badge count={240} />
          <Badge label="new" />
        </div>
      </Specimen>
      <Specimen name="Bubble, DateMarker">
        <DateMarker>Thursday 12 November</DateMarker>
        <div>
          <Bubble avatar={<Avatar alt="" src={portrait(2)} size={36} />} groupPosition="first">
            Hey you. Saw you by the taco truck again.
          </Bubble>
          <Bubble avatar={<Avatar alt="" src={portrait(2)} size={36} />} groupPosition="last">
            Third time this week, should I be jealous of the tacos?
          </Bubble>
          <Bubble own groupPosition="first" state="seen" stateLabel="seen">
            They are very good tacos.
          </Bubble>
          <Bubble
            own
            groupPosition="middle"
            state="seen"
            stateLabel="seen"
            times="Sent 14:02, seen 14:05"
            timesOpen
            onToggleTimes={() => undefined}
          >
            You could join us.
          </Bubble>
          <Bubble
            own
            groupPosition="last"
            state="delivered"
            stateLabel="delivered"
            pictures={<Picture src={portrait(7)} alt="The taco truck" aspect={1.2} />}
          >
            Exhibit A
          </Bubble>
          <Bubble
            avatar={<Avatar alt="" src={portrait(2)} size={36} />}
            quote="Six?"
            mark={<Icon name="heart-filled" size={18} />}
            aside={<IconButton icon="reply" label="Reply" />}
          >
            Six is perfect.
          </Bubble>
          <Bubble own state="sending" stateLabel="sending">
            Six?
          </Bubble>
          <Bubble own state="failed" stateLabel="not sent">
            Or seven
          </Bubble>
        </div>
      </Specimen>
      <Specimen name="Picture">
        <div className={`stack gap-hair ${css.three}`}>
          <Picture src={portrait(6)} alt="Marco" />
          <Picture src={PIXELS} alt="Hidden picture" pixelated pixelLabel="NSFW" />
          <Picture alt="Kit" />
        </div>
      </Specimen>
      <Specimen name="Tabs">
        <Tabs
          label="Likes"
          current="#you"
          tabs={[
            { href: "#you", label: "Liked You" },
            { href: "#pics", label: "Your Pics" },
            { href: "#liked", label: "You Liked" },
            { href: "#their", label: "Their Pics" },
          ]}
        />
        <div className="relative">
          <Picture src={portrait(0)} alt="" aspect={0.8} />
          <div className={css.over}>
            <p className={css.big}>Marco, 34</p>
            <p>840 ft</p>
          </div>
          <div className={`row gap-3 ${css.thumb}`}>
            <IconButton icon="chat" label="Chat" tone="picture" size="large" />
            <Button variant="primary" icon="heart" label="Like" />
          </div>
        </div>
      </Specimen>
    </>
  );
}
