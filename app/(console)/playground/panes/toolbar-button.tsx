import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";

type ToolbarButtonProps = { icon: ReactNode; label: string; disabled?: boolean; onClick: () => void };

/** A button with icon and label, or only its icon in a narrow space. */
export function ToolbarButton({ icon, label, disabled, onClick }: ToolbarButtonProps) {
  return (
    <Button variant="ghost" disabled={disabled} onClick={onClick} aria-label={label} title={label}>
      {icon}
      <span className="max-xl:hidden">{label}</span>
    </Button>
  );
}
