/** Names of the sources that layers draw from. */

export const WORLD_SOURCE = "world";
/** Its layer of named places. */
export const PLACES = "places";
/** The installed regions: extracts of OpenStreetMap in the schema of Protomaps. */
export const STREETS_SOURCE = "streets";
/** GeoJSON source of the distance rings; empty until `ringsAround` is set on it. */
export const RINGS_SOURCE = "rings";
/** GeoJSON source of what stands over the map: names make room for it (`TakenPlace`). */
export const TAKEN_SOURCE = "taken";
/** An image of nothing, which the engine makes; it takes the room of a marker. */
export const TAKEN_IMAGE = "taken";
/** GeoJSON source of the cell in which others see the member. */
export const CELL_SOURCE = "cell";
