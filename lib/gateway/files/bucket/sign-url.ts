import { createHash, createHmac } from "node:crypto";

interface SignedRequest {
  readonly method: string;
  /** The object's address, without a query. */
  readonly url: URL;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The token of a temporary key; null for a permanent one. */
  readonly sessionToken: string | null;
  readonly atMs: number;
  readonly expiresSeconds: number;
}

const ALGORITHM = "AWS4-HMAC-SHA256";

/**
 * Signs a request in its query, with its body unsigned (AWS Signature Version 4, "Authenticating Requests: Using Query
 * Parameters"). `Bun.S3Client` is not used for it: it adds a session token of the environment to any access key.
 * @returns path and query.
 */
export function signUrl({
  method,
  url,
  region,
  accessKeyId,
  secretAccessKey,
  sessionToken,
  ...times
}: SignedRequest): string {
  const time = new Date(times.atMs).toISOString().replace(/[:-]|\.\d{3}/g, "");
  const day = time.slice(0, 8);
  const scope = `${day}/${region}/s3/aws4_request`;
  const query = Object.entries({
    "X-Amz-Algorithm": ALGORITHM,
    "X-Amz-Credential": `${accessKeyId}/${scope}`,
    "X-Amz-Date": time,
    "X-Amz-Expires": String(times.expiresSeconds),
    ...(sessionToken !== null && { "X-Amz-Security-Token": sessionToken }),
    "X-Amz-SignedHeaders": "host",
  })
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join("&");
  const path = decodeURIComponent(url.pathname).split("/").map(encode).join("/");
  const canonical = [method, path, query, `host:${url.host}`, "", "host", "UNSIGNED-PAYLOAD"].join("\n");
  const text = [ALGORITHM, time, scope, createHash("sha256").update(canonical).digest("hex")].join("\n");
  const key = [day, region, "s3", "aws4_request"].reduce<Buffer | string>(
    (secret, part) => createHmac("sha256", secret).update(part).digest(),
    `AWS4${secretAccessKey}`,
  );
  const signature = createHmac("sha256", key).update(text).digest("hex");
  return `${path}?${query}&X-Amz-Signature=${signature}`;
}

/** Percent-encodes everything but the unreserved characters of RFC 3986, as signatures need it. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
