/** Whether this browser supports passkeys. */
export const supportsPasskeys = (): boolean => "PublicKeyCredential" in globalThis;
