import { installPlainMessages } from "@/lib/contract/describe-issue";

installPlainMessages();
