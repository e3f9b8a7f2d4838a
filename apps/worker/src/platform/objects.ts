import type { BrandId } from "@lambda/brands";
import type { ServerEvent } from "@lambda/contract/events";

/** What may be called on the Durable Objects of wrangler.toml, without their code. */

/** A session whose device may hear of an event. */
export interface OpenSession {
  readonly id: number;
  /** 1: the event's subject is listed on this session's brand, the viewer too, and no block stands between; or there is no subject. */
  readonly maySee: 0 | 1;
  /** Where the viewer is published now; null without a living position. */
  readonly key: number | null;
}

export interface MemberObjectApi extends Rpc.DurableObjectBranded {
  deliver(events: readonly ServerEvent[], aboutId: number | null, asked?: readonly OpenSession[]): Promise<boolean>;
  connected(brand: BrandId): Promise<boolean>;
}

export interface AreaObjectApi extends Rpc.DurableObjectBranded {
  deliver(event: ServerEvent, aboutId: number, sector: number): Promise<number>;
  dismiss(profileId: number): void;
}
