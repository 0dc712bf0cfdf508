// The command that finds an anomaly again, from its capsule alone.

const BARE = /^[A-Za-z0-9][A-Za-z0-9._/:@%+=-]*$/;

/** A word of a shell's command: whatever it holds, the shell takes it as it is. */
export function shellWord(text) {
  return BARE.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The capsule's file, as the monitor names it. */
export function capsuleFile(id) {
  return `${id.replaceAll(/[^A-Za-z0-9._-]/g, '_').replace(/^[^A-Za-z0-9]/, '_')}.jsonl`;
}

/** Loads the capsule and checks it: exit 1, and the same violation printed. */
export function reproduction(anomaly, origin) {
  const file = shellWord(capsuleFile(anomaly.id));
  const url = shellWord(`${origin}/api/anomalies/${encodeURIComponent(anomaly.id)}/capsule.jsonl`);
  const clocks = anomaly.level === 'strict-serializable' && anomaly.clockUncertainty
    ? ` --clock-uncertainty ${shellWord(anomaly.clockUncertainty)}` : '';
  const level = shellWord(anomaly.level);
  const outsiders = anomaly.evidence ? ' --no-outsiders' : '';
  return `curl -fsS ${url} -o ${file} && deploy/isotail check --level ${level} --promise ${level}${clocks} --open --no-deletes${outsiders} ${file}`;
}

/** Whether a proxy hashed the key of an operation: its row is told by `isotail resolve` alone. */
export function hasHashedKeys(anomaly) {
  return (anomaly.transactions ?? []).some((t) => t.operations.some((o) => o.table && /^[0-9]+$/.test(o.key) && o.text.slice(2).startsWith(`${hex(o.key)}=`)));
}

function hex(key) {
  return BigInt(key).toString(16).padStart(16, '0');
}

/** Tells the rows of the hashed keys. What only people know stays in capital letters. */
export function resolution(anomaly, origin) {
  const file = shellWord(capsuleFile(anomaly.id).replace(/jsonl$/, 'json'));
  const url = shellWord(`${origin}/api/anomalies/${encodeURIComponent(anomaly.id)}`);
  const at = anomaly.transactions.find((t) => t.databaseHost && t.level?.startsWith('postgresql:'))?.databaseHost ?? 'HOST';
  return `curl -fsS ${url} -o ${file} && deploy/isotail resolve --settings isotail.properties --url ${shellWord(`jdbc:postgresql://${at}/DATABASE`)} --anomaly ${file}`;
}
