/** The version that the other packages share has no types. */
declare module "pbf" {
  export default class Pbf {
    constructor(bytes: ArrayBuffer);
  }
}
