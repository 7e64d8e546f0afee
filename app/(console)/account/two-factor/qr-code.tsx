"use client";

import { encode } from "uqr";
import { drawModules } from "./draw-modules";

/** The quiet zone that readers need around a code, in modules (ISO/IEC 18004, 5.3.8). */
const QUIET_ZONE = 4;

type QrCodeProps = { text: string; label: string };

/** Black on white in every theme, including the quiet zone, because readers need that. */
export function QrCode({ text, label }: QrCodeProps) {
  const { data, size } = encode(text, { ecc: "M", border: QUIET_ZONE });
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-52 shrink-0 rounded-md border forced-color-adjust-none"
    >
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" d={drawModules(data)} />
    </svg>
  );
}
