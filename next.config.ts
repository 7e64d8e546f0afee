import type { NextConfig } from "next";

const consoleUrl = process.env.CONSOLE_URL;

const config: NextConfig = {
  reactStrictMode: true,
  poweredByHeader: false,
  agentRules: false,
  // No image is ever fetched or resized on behalf of a visitor.
  images: { unoptimized: true },
  // Behind a proxy that hides the address people open, changes may come from there.
  ...(consoleUrl && URL.canParse(consoleUrl)
    ? { experimental: { serverActions: { allowedOrigins: [new URL(consoleUrl).host] } } }
    : {}),
  // `npm run verify` type-checks the whole repository with the native compiler.
  typescript: { ignoreBuildErrors: true },
};

export default config;
