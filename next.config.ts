import type { NextConfig } from "next";

/** A form, or a conversation of the playground with its images; nothing longer is read from a browser. */
const MAX_BODY = "16mb";

const consoleUrl = process.env.CONSOLE_URL;

const config: NextConfig = {
  reactStrictMode: true,
  poweredByHeader: false,
  agentRules: false,
  // No image is ever fetched or resized on behalf of a visitor.
  images: { unoptimized: true },
  experimental: {
    proxyClientMaxBodySize: MAX_BODY,
    serverActions: {
      bodySizeLimit: MAX_BODY,
      // Behind a proxy that hides the address people open, changes may come from there.
      ...(consoleUrl && URL.canParse(consoleUrl) ? { allowedOrigins: [new URL(consoleUrl).host] } : {}),
    },
  },
  // `npm run verify` type-checks the whole repository with the native compiler.
  typescript: { ignoreBuildErrors: true },
};

export default config;
