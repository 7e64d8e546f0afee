"use client";

import { Menu as MenuIcon, X } from "lucide-react";
import { usePathname } from "next/navigation";
import { useState } from "react";
import { Modal } from "../../ui/dialog/modal";
import { IconButton } from "../../ui/icon-button";
import type { ShellData } from "../shell-data";
import { EnvironmentBadge } from "../top-bar/environment-badge";
import { usePendingPath } from "./pending-screen";
import { Sidebar } from "./sidebar";

type SidebarSheetProps = Pick<
  ShellData,
  "environment" | "organizationName" | "organizationLogo" | "permissions" | "runningTasks"
>;

/** The sidebar as a sheet, for narrow screens. Closes after navigation. */
export function SidebarSheet({ environment, ...sidebar }: SidebarSheetProps) {
  const pathname = usePathname();
  const [openAt, setOpenAt] = useState<string>();
  const pending = usePendingPath();
  const open = openAt === pathname && pending === null;
  const close = () => setOpenAt(undefined);

  return (
    <div className="lg:hidden">
      <IconButton
        label="Open navigation"
        icon={<MenuIcon />}
        aria-expanded={open}
        onClick={() => setOpenAt(pathname)}
      />
      {open && (
        <Modal label="Navigation" position="left" onClose={close}>
          <div className="flex h-full flex-col bg-sidebar">
            <div className="min-h-0 flex-1">
              <Sidebar {...sidebar} />
            </div>
            <div className="border-t p-3">
              <EnvironmentBadge environment={environment} />
            </div>
            <div className="absolute top-2 right-2">
              <IconButton label="Close navigation" icon={<X />} onClick={close} />
            </div>
          </div>
        </Modal>
      )}
    </div>
  );
}
