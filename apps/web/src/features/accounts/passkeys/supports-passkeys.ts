export const supportsPasskeys = (): boolean => "PublicKeyCredential" in globalThis;
