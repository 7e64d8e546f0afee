import { installPlainMessages } from "@/lib/contract/describe-issue";

// Imported for its effect: Zod's messages become predicates in plain words.
installPlainMessages();
