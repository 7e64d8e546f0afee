import { toast } from "@/components/ui/dialog/toast";
import { copyOutcomes, copyText } from "@/components/ui/text/copy-text";

/** Copies text from an entry of a menu, which is gone by the time that the outcome is known. */
export async function copyWithToast(text: string, copy = copyText): Promise<void> {
  const isCopied = await copy(text);
  toast(isCopied ? { message: copyOutcomes.copied } : { message: copyOutcomes.refused, tone: "bad" });
}
