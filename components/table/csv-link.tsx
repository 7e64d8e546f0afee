import { Download } from "lucide-react";
import { buttonStyle } from "../ui/button-style";

/** Downloads a whole list as a spreadsheet reads it, from the address it is streamed at. */
export function CsvLink({ href }: { href: string }) {
  return (
    <a href={href} download className={buttonStyle()}>
      <Download aria-hidden />
      Download CSV
    </a>
  );
}
