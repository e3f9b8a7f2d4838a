/**
 * The oldest browsers that run the application, told in README.md, index.html and by first-paint.ts. What reads other syntax than theirs
 * must be compiled for OLD_BROWSERS: the script that tells the others, and the page of a friend, who may have any phone.
 */
export const BROWSERS = ["chrome111", "firefox121", "safari16.4"];
export const OLD_BROWSERS = "es2019";
