/** A bucket could not do what it was asked. The message says why, for the operator. */
export class BucketFault extends Error {}

const MAX_CODE_LENGTH = 64;

/** The code of an S3 error reply, such as `AccessDenied`; an empty text if it has none. */
export function readBucketErrorCode(xml: string): string {
  const [, code = ""] = /<Code>\s*([A-Za-z0-9.]+)\s*<\/Code>/.exec(xml) ?? [];
  return code.slice(0, MAX_CODE_LENGTH);
}

const mends: Readonly<Record<string, string>> = {
  RequestTimeTooSkewed: "set this machine's clock",
  SignatureDoesNotMatch: "check secret_access_key",
  InvalidAccessKeyId: "check access_key_id",
  ExpiredToken: "set a key and session_token that are still valid",
  InvalidToken: "check session_token",
  NoSuchBucket: "create the bucket, or check its name",
  PermanentRedirect: "set the bucket's own region or endpoint",
  AuthorizationHeaderMalformed: "set the bucket's own region",
  AuthorizationQueryParametersError: "set the bucket's own region",
};

/** The fault behind a reply of the server. */
export function describeFault(where: string, status: number, code: string): BucketFault {
  const sentence = `${where} answered ${status}${code && ` ${code}`}`;
  const mend = mends[code] ?? describeMend(status);
  return new BucketFault(`${sentence}: ${mend}.`);
}

function describeMend(status: number): string {
  if (status === 401 || status === 403)
    return "give its access key the rights to read, write and delete objects under the prefix";
  if (status >= 300 && status < 400) return "set the bucket's own region or endpoint";
  if (status === 429 || status >= 500) return "it is overloaded or down, and is asked again";
  return "check bucket and endpoint";
}
