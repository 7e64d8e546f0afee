import { Plus } from "lucide-react";
import { Button } from "@/components/ui/button";

/** The primary action of a list. `noun` names what it creates. */
export function CreateButton({ noun, onClick }: { noun: string; onClick: () => void }) {
  return (
    <Button variant="primary" onClick={onClick}>
      <Plus aria-hidden />
      Create {noun}
    </Button>
  );
}
