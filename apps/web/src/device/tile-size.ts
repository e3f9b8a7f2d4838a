import { deviceKey } from "./device-storage.ts";

export const TILE_SIZES = ["small", "large"] as const;
export type TileSize = (typeof TILE_SIZES)[number];

/** How large the tiles of a search are on this device. */
export const TILE_SIZE = deviceKey<TileSize>("tile_size", "small", (value) => TILE_SIZES.includes(value as TileSize));
