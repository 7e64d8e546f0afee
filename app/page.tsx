import { redirect } from "next/navigation";
import { paths } from "@/lib/console/paths";

export default function Home() {
  redirect(paths.overview());
}
