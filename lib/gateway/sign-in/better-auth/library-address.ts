/** The library's id for the organization's OpenID provider. */
export const PROVIDER_ID = "openid";
/** The library derives cookie names and paths from it. No request is sent there. */
export const BASE_URL = "http://sign-in.invalid/auth";
