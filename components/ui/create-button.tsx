import { Plus } from "lucide-react";
import { Button, type ButtonProps } from "./button";

type CreateButtonProps = { noun: string; onClick: () => void; variant?: ButtonProps["variant"] };

/** The button that creates an object, named by `noun`. Primary unless the page has another primary action. */
export function CreateButton({ noun, onClick, variant = "primary" }: CreateButtonProps) {
  return (
    <Button variant={variant} onClick={onClick}>
      <Plus aria-hidden />
      Create {noun}
    </Button>
  );
}
