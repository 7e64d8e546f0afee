import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";

type ToolbarButtonProps = {
  icon: ReactNode;
  label: string;
  disabled?: boolean;
  isSecondary?: boolean;
  onClick: () => void;
};

/** A button with icon and label, or only its icon in a narrow space, which a secondary one gives up first. */
export function ToolbarButton({ icon, label, disabled, isSecondary = false, onClick }: ToolbarButtonProps) {
  return (
    <Button variant="ghost" disabled={disabled} onClick={onClick} aria-label={label} title={label}>
      {icon}
      <span className={isSecondary ? "max-2xl:hidden" : "max-xl:hidden"}>{label}</span>
    </Button>
  );
}
