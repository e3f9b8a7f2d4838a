/** Files of this machine that members choose. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";

let picture: Promise<string> | undefined;

export function makePictureFile(): Promise<string> {
  picture ??= (async () => {
    const file = join(mkdtempSync(join(tmpdir(), "engine-files-")), "me.jpg");
    writeFileSync(
      file,
      await sharp({ create: { width: 1200, height: 900, channels: 3, background: "#a86" } })
        .jpeg()
        .toBuffer(),
    );
    return file;
  })();
  return picture;
}
