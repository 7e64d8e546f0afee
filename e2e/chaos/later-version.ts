import { addMigration, testMigration } from "@/lib/gateway/database/testing/add-migration";

// A program's preload: it is of a later version, with one more migration.

addMigration(testMigration);
