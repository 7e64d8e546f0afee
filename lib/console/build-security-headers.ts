/** The request header in which `proxy.ts` passes the requested path to pages. */
export const PATH_HEADER = "x-gatehouse-path";
/** Request header that carries the nonce of the Content Security Policy to the root layout. */
export const NONCE_HEADER = "x-nonce";

type PolicyOptions = { nonce: string; isDevelopment: boolean };

/** The console's pages may load from and connect to their own origin only. Scripts run only with the nonce. */
export function buildContentSecurityPolicy({ nonce, isDevelopment }: PolicyOptions): string {
  return [
    "default-src 'self'",
    // The development server evaluates modules to replace them in a running page.
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ""}`,
    // React writes style attributes, to which nonces don't apply.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "media-src 'self' blob: data:",
    "worker-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** The headers of every page besides its policy. A proxy that buffers would hold back what comes word by word. */
export function buildSecurityHeaders(https: boolean): Readonly<Record<string, string>> {
  return {
    "x-content-type-options": "nosniff",
    "x-accel-buffering": "no",
    "x-frame-options": "DENY",
    // `no-referrer` would turn the Origin of a form that is posted without JavaScript into `null`.
    "referrer-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
    "cross-origin-opener-policy": "same-origin",
    ...(https ? { "strict-transport-security": "max-age=31536000; includeSubDomains" } : {}),
  };
}
