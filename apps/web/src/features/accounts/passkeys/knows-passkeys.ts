/** Whether this browser can make passkeys and sign with them. */
export const knowsPasskeys = (): boolean => "PublicKeyCredential" in globalThis;
