import { GeistMono } from "geist/font/mono";
import { GeistSans } from "geist/font/sans";
import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { earlyCellScript } from "@/components/shell/early/early-cells";
import { earlyEntryScript } from "@/components/shell/early/early-entries";
import { earlyPressScript } from "@/components/shell/early/early-presses";
import { nowMs } from "@/components/ui/time/server-clock";
import { NONCE_HEADER } from "@/lib/console/build-security-headers";
import { Providers } from "./providers";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "Gatehouse", template: "%s · Gatehouse" },
  description: "Limits, roles, keys and balance of an organization’s access to AI models.",
  robots: { index: false, follow: false },
};

export const viewport: Viewport = {
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#f4f5f7" },
    { media: "(prefers-color-scheme: dark)", color: "#0c0d0f" },
  ],
};

/** The CSP nonce is per request, which also makes every page render dynamically. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get(NONCE_HEADER) ?? undefined;
  const renderedAt = nowMs();
  return (
    <html
      lang="en"
      className={`${GeistSans.variable} ${GeistMono.variable}`}
      data-rendered-at={renderedAt}
      suppressHydrationWarning
    >
      <head>
        {/* Not in `viewport`: each navigation writes it again, and the browser would then compute every style anew. */}
        <meta name="color-scheme" content="light dark" />
      </head>
      <body>
        <script
          nonce={nonce}
          suppressHydrationWarning
          dangerouslySetInnerHTML={{ __html: `${earlyEntryScript};${earlyPressScript};${earlyCellScript}` }}
        />
        <Providers nonce={nonce} renderedAt={renderedAt}>
          {children}
        </Providers>
      </body>
    </html>
  );
}
