import type { Metadata } from "next";
import { SharedReceipt } from "./shared-receipt";

export const metadata: Metadata = { title: "Receipt", robots: { index: false } };

export default function SharedReceiptPage() {
  return <SharedReceipt />;
}
