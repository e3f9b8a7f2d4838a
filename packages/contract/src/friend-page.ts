/** `meet/files.json` of a build: the paths of what the friend's page loads, whose names change with the content. */
export interface FriendPageFiles {
  readonly script: string;
  readonly style: string;
}
