import { Download } from "lucide-react";
import { composeButtonStyle } from "../ui/compose-button-style";

/** Downloads the whole list as CSV from the address that streams it. */
export function CsvLink({ href }: { href: string }) {
  return (
    <a href={href} download className={composeButtonStyle()}>
      <Download aria-hidden />
      Download CSV
    </a>
  );
}
