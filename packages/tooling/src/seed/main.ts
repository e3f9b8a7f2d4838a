import { isSeeded, lacksPictures, seedMembers, seedPictures } from "./seed.ts";

/** `npm run seed`: fills an empty site that is already running on PORT (8787). */
const base = `http://localhost:${process.env.PORT ?? 8787}`;
if (!(await isSeeded(base))) await seedMembers(base);
if (await lacksPictures(base)) console.log(`${await seedPictures(base)} demo pictures are in place.`);
else console.log("There are already members; nothing was changed.");
