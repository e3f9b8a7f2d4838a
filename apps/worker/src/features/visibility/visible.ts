export { type Onlooker, visibleTo } from "./visibility.ts";
