import { Plus } from "lucide-react";
import { Button, type ButtonProps } from "@/components/ui/button";

type CreateButtonProps = { noun: string; onClick: () => void; variant?: ButtonProps["variant"] };

/** The primary action of a list, unless another stands above it. `noun` names what it creates. */
export function CreateButton({ noun, onClick, variant = "primary" }: CreateButtonProps) {
  return (
    <Button variant={variant} onClick={onClick}>
      <Plus aria-hidden />
      Create {noun}
    </Button>
  );
}
