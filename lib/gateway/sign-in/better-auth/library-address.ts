/** Under which the organization's OpenID provider is filed. */
export const PROVIDER_ID = "openid";
/** Never asked over a network: it gives cookies their names and paths theirs. */
export const BASE_URL = "http://sign-in.invalid/auth";
