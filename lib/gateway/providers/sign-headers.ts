import { AwsV4Signer } from "aws4fetch";

interface UnsignedRequest {
  readonly method: string;
  readonly url: URL;
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** `ACCESS_KEY_ID:SECRET_ACCESS_KEY`, and `:SESSION_TOKEN` for a temporary key. */
  readonly key: string;
  readonly atMs: number;
}

/** Amazon's hosts name their service and region: `bedrock-runtime.eu-west-1.amazonaws.com`. */
const HOST = /^([a-z0-9]+)[a-z0-9-]*\.([a-z0-9-]+)\.(?:amazonaws\.com|api\.aws)/;

/** The headers that sign a request with its body (AWS Signature Version 4). */
export async function signHeaders({
  method,
  url,
  body,
  key,
  atMs,
}: UnsignedRequest): Promise<Record<string, string>> {
  const [accessKeyId = "", secretAccessKey = "", ...token] = key.split(":");
  const [, service = "bedrock", region = "us-east-1"] = HOST.exec(url.hostname) ?? [];
  const signer = new AwsV4Signer({
    method,
    url: url.href,
    body,
    accessKeyId,
    secretAccessKey,
    service,
    region,
    datetime: new Date(atMs).toISOString().replace(/[:-]|\.\d{3}/g, ""),
    ...(token.length > 0 && { sessionToken: token.join(":") }),
  });
  const { headers } = await signer.sign();
  return Object.fromEntries(headers);
}
