import path from "node:path";
import { z } from "zod";
import { pickConnection } from "../../context/connections/connection.js";
import { type ClaimCheck, EXTRACT_MODES } from "../../core/claim-check.js";
import { UsageError } from "../../core/errors.js";
import type { ClaimsConfig } from "../../core/profile.js";
import { readChecks } from "../../score/checks.js";

const terms = z.array(z.string());

/** How the claim checks of a run or a trial are read back; logs that are older than they are have none. */
export const claimChecksSchema = z
  .array(
    z.object({
      name: z.string(),
      domain_sql: z.string(),
      anchors: terms,
      extract: z.enum(EXTRACT_MODES),
      entity_suffixes: terms,
      generic_terms: terms,
      zero_use_terms: terms,
      column: z.string().nullable(),
    }),
  )
  .default([]) satisfies z.ZodType<readonly ClaimCheck[]>;

/**
 * The claim checks that trials make before their conclusions leave: of the profile's file those of the conclusion that ask nothing
 * but the task's own data. Throws UsageError for a file that cannot be read or has none of these.
 */
export async function deliveryChecks({ mode, checks }: ClaimsConfig): Promise<readonly ClaimCheck[]> {
  if (mode === "off" || checks === null) return [];
  const { verify, connections } = await readChecks(path.resolve(checks));
  const found = verify.flatMap(({ gate, labels, ...check }): ClaimCheck[] => {
    const picked = pickConnection(check.domain_sql, connections);
    const ofOwnData = picked.ok && picked.connection === null && check.column === null;
    return ofOwnData ? [{ ...check, domain_sql: picked.sql }] : [];
  });
  if (found.length > 0) return found;
  throw new UsageError(
    `${checks}: no check here can be made during a trial: it needs one of the conclusion (anchors) whose domain_sql asks the task's own data (a first line "-- context" where there are connections)`,
  );
}
