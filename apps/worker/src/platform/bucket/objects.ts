/** Pages of objects that one call deletes, so that a run stays within the calls of one invocation. */
const PAGES_PER_RUN_MAX = 50;

/** Returns false if the object was deleted in the meantime. */
export async function copyObject(from: R2Bucket, key: string, to: R2Bucket, target: string): Promise<boolean> {
  const object = await from.get(key);
  if (!object) return false;
  await to.put(target, object.body, { ...(object.httpMetadata && { httpMetadata: object.httpMetadata }) });
  return true;
}

/** Deletes all objects under the prefix, even those without a row in the database. */
export async function deletePrefix(bucket: R2Bucket, prefix: string): Promise<void> {
  for (;;) {
    const { objects, truncated } = await bucket.list({ prefix });
    if (objects.length > 0) await bucket.delete(objects.map(({ key }) => key));
    if (!truncated) return;
  }
}

/** Deletes the objects `<prefix><day>/...` of days before `day`, the oldest first, since days sort alphabetically. */
export async function deleteDaysBefore(bucket: R2Bucket, prefix: string, day: string): Promise<void> {
  for (let page = 0; page < PAGES_PER_RUN_MAX; page += 1) {
    const { objects, truncated } = await bucket.list({ prefix });
    const old = objects.map(({ key }) => key).filter((key) => key < `${prefix}${day}/`);
    if (old.length > 0) await bucket.delete(old);
    if (!truncated || old.length < objects.length) return;
  }
}
