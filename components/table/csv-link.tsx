import { Download } from "lucide-react";
import { buttonStyle } from "../ui/button-style";

/** Downloads the whole list as CSV from the address that streams it. */
export function CsvLink({ href }: { href: string }) {
  return (
    <a href={href} download className={buttonStyle()}>
      <Download aria-hidden />
      Download CSV
    </a>
  );
}
