"use client";

import { Search } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { Button } from "@/components/ui/button";

const FindKeyDialog = dynamic(() => import("./find-key-dialog").then((file) => file.FindKeyDialog), {
  ssr: false,
});

/** Finds a leaked key by its text. */
export function FindKey() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>
        <Search aria-hidden />
        Find a key
      </Button>
      {isOpen && <FindKeyDialog close={() => setIsOpen(false)} />}
    </>
  );
}
