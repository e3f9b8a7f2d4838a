export const WORLD_SOURCE = "world";
/** The layer of named places in the world's and the regions' tiles. */
export const PLACES_LAYER = "places";
/** The installed regions: extracts of OpenStreetMap in the Protomaps schema. */
export const STREETS_SOURCE = "streets";
/** GeoJSON source of the distance rings, the cell in which others see the member, and cells of other precisions. */
export const OWN_AREA_SOURCE = "own-area";
/** GeoJSON source of the boxes of markers, which labels avoid (`CollisionBox`). */
export const COLLISION_SOURCE = "taken";
/** A transparent image from the engine that reserves a marker's space. */
export const COLLISION_IMAGE = "taken";
/** Not beside the code that draws it, which needs a part of MapLibre: the screen would wait for that before it shows anything. */
export const METRIC_GRID = "ground";
export const METRIC_GRID_MIN_ZOOM = 8;
/** Beyond this zoom, MapLibre enlarges the tiles. */
export const METRIC_GRID_MAX_ZOOM = 16;
