// pg of npm: text and prepared queries, several statements, errors, notices, COPY-free transactions.
const { Client, types } = require('pg');

async function main() {
  const client = new Client();
  client.on('notice', (notice) => console.log('notice', notice.message));
  client.on('notification', (note) => console.log('notification', note.channel, note.payload));
  await client.connect();
  await client.query('SET search_path = shop');
  const show = (r) => console.log(r.command, r.rowCount, JSON.stringify(r.fields.map((f) => f.name)), JSON.stringify(r.rows));
  show(await client.query('SELECT * FROM account WHERE id < 3 ORDER BY id'));
  show(await client.query('SELECT id, owner FROM account WHERE id = $1', [4]));
  for (const id of [5, 6]) {
    show(await client.query({ name: 'by-id', text: 'SELECT owner, balance FROM account WHERE id = $1', values: [id] }));
  }
  show(await client.query({ text: 'SELECT id, details, tags FROM item i JOIN account a ON a.id = i.shelf WHERE i.place = $1 ORDER BY 1', values: [2], rowMode: 'array' }));
  show(await client.query({ text: 'SELECT id, owner FROM account WHERE id = $1', values: [7], binary: true }));
  await client.query('BEGIN');
  show(await client.query('UPDATE account SET balance = balance + $1 WHERE id = $2 RETURNING balance', ['1.25', 8]));
  show(await client.query('INSERT INTO event (what) VALUES ($1), ($2) RETURNING id', ['x', null]));
  await client.query('COMMIT');
  await client.query('BEGIN ISOLATION LEVEL SERIALIZABLE');
  show(await client.query('DELETE FROM item WHERE shelf = $1', [2]));
  await client.query('ROLLBACK');
  for (const text of ['SELECT nope FROM account', 'INSERT INTO account VALUES (1, \'twice\', 0)']) {
    await client.query(text).catch((e) => console.log(e.code, e.message, e.position, e.constraint));
  }
  const several = await client.query('SELECT owner FROM account WHERE id = 1; UPDATE account SET owner = \'both\' WHERE id = 2');
  several.forEach(show);
  show(await client.query('SELECT greet($1)', [9]));
  const all = await Promise.all([1, 2, 3].map((id) => client.query('SELECT owner FROM account WHERE id = $1', [id])));
  all.forEach(show);
  await client.query('LISTEN here');
  await client.query("NOTIFY here, 'payload'");
  show(await client.query('SELECT * FROM account ORDER BY id'));
  await client.end();
}

main().catch((e) => { console.error(e); process.exit(1); });
