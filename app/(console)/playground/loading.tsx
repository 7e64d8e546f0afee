import { PlaygroundSkeleton } from "./playground-skeleton";

export default function PlaygroundLoading() {
  return <PlaygroundSkeleton />;
}
