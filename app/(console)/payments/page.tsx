import { redirect } from "next/navigation";
import { paths } from "@/lib/console/paths";

/** The address of payments before they were a part of the balance. */
export default function OldPaymentsAddress() {
  redirect(paths.payments());
}
