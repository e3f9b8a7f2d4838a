import type { PositionAggregate } from "@lambda/contract/positions";
import type { Point } from "@lambda/geo/distance";
import { Icon } from "@lambda/ui/icon";
import { memo } from "react";
import { MemberAvatar } from "../../../../components/MemberAvatar.tsx";
import { displayName } from "../../../../format/display-name.ts";
import { useFormatDistance } from "../../../../format/distance.ts";
import { isOnline } from "../../../../format/is-online.ts";
import { useMapCopy } from "../copy.ts";
import { isAreaAround, metersToArea } from "../data/areas.ts";
import type { MapMember } from "../data/map-types.ts";
import css from "./map-list.module.css";

export interface MapListProps {
  members: readonly MapMember[];
  areas: readonly PositionAggregate[];
  own: Point | null;
  selected: number | null;
  onMemberPress: (id: number) => void;
  onAreaPress: (area: PositionAggregate) => void;
}

/** The map as a list for keyboards and screen readers: the same members and counts, nearest first. */
export function MapList({ members, areas, own, selected, onMemberPress, onAreaPress }: MapListProps) {
  const copy = useMapCopy();
  const distance = useFormatDistance();
  const nearestAreas = own ? [...areas].sort((a, b) => metersToArea(a, own) - metersToArea(b, own)) : areas;
  return (
    // biome-ignore lint/a11y/noRedundantRoles: without bullets Safari drops the list role
    <ul role="list" className="plain-list">
      {members.map((member) => (
        <li key={member.profileId} className={css.item}>
          <MemberRow
            member={member}
            distanceText={distance(member.distanceMeters)}
            current={member.profileId === selected}
            onPress={onMemberPress}
          />
        </li>
      ))}
      {nearestAreas.map((area) => (
        <li key={`${area.centerLat}:${area.centerLon}:${area.deltaLat}`} className={css.item}>
          <button
            type="button"
            className={`row gap-3 full-width text-start film focus-inside ${css.row}`}
            onClick={() => onAreaPress(area)}
          >
            <span className={`center flex-none tint circle accent bold font-display ${css.bubble}`} aria-hidden="true">
              {area.count}
            </span>
            <span className="column grow min-0">{areaText(area)}</span>
            <Icon name="zoom" size={20} />
          </button>
        </li>
      ))}
    </ul>
  );

  function areaText(area: PositionAggregate): string {
    const { centerLat: lat, centerLon: lon, count } = area;
    if (!own) return copy.listShort(count);
    if (isAreaAround(area, own)) return copy.areaHere(count);
    const meters = metersToArea(area, own);
    const east = (((lon - own.lon + 540) % 360) - 180) * Math.cos((lat * Math.PI) / 180);
    const octant = Math.round(Math.atan2(east, lat - own.lat) / (Math.PI / 4));
    return copy.area(count, distance(meters) ?? "", copy.directions[(octant + 8) % 8] ?? "");
  }
}

const MemberRow = memo(function MemberRow(props: {
  member: MapMember;
  distanceText: string | undefined;
  current: boolean;
  onPress: (id: number) => void;
}) {
  const { member, distanceText, current, onPress } = props;
  const copy = useMapCopy();
  return (
    <button
      type="button"
      className={`row gap-3 full-width text-start film focus-inside ${css.row}`}
      aria-current={current || undefined}
      onClick={() => onPress(member.profileId)}
    >
      <MemberAvatar
        name={member.profileName}
        picture={member.profilePicIds[0]}
        size={52}
        online={isOnline(member)}
        onlineLabel={copy.online}
      />
      <span className="column grow min-0">
        <span className="bold truncate" dir="auto">
          {displayName(member.profileName)}
          {member.profileAge !== null && <span className="muted regular"> {member.profileAge}</span>}
        </span>
        <span className="muted">{distanceText}</span>
      </span>
    </button>
  );
});
