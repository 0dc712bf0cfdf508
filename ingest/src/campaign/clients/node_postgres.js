// postgres of npm: prepared and described statements, pipelined queries, cursors, COPY, transactions.
const postgres = require('postgres');

async function main() {
  const sql = postgres({ max: 1, onnotice: (n) => console.log('notice', n.message), connection: { search_path: 'shop' } });
  const show = (rows) => console.log(rows.command, rows.count, JSON.stringify(rows.columns && rows.columns.map((c) => c.name)), JSON.stringify(rows));
  show(await sql`SELECT * FROM account WHERE id = ${3}`);
  const many = await Promise.all([1, 2, 3].map((id) => sql`SELECT owner FROM account WHERE id = ${id}`));
  many.forEach(show);
  show(await sql`INSERT INTO account ${sql([{ id: 60, owner: 'sixty', balance: 6 }, { id: 61, owner: 'more', balance: 1 }])} RETURNING *`);
  await sql.begin('isolation level repeatable read', async (tx) => {
    show(await tx`UPDATE account SET balance = balance - 1 WHERE id = ${60}`);
    await tx.savepoint(async (sp) => { await sp`INSERT INTO account VALUES (60, 'twice', 0)`; }).catch((e) => console.log(e.code, e.message));
    show(await tx`SELECT balance FROM account WHERE id = ${60}`);
  });
  await sql`SELECT id, owner FROM account ORDER BY id`.cursor(7, (rows) => show(rows));
  await sql`SELECT id FROM account ORDER BY id LIMIT 3`.forEach((row) => console.log(JSON.stringify(row)));
  console.log(JSON.stringify(await sql`SELECT shelf, tags, details FROM item WHERE place = ${1} ORDER BY shelf`.describe().then((d) => [d.types, d.columns.map((c) => c.name)])));
  show(await sql.unsafe('SELECT owner FROM account WHERE id = 1'));
  show(await sql.unsafe('SELECT owner FROM account WHERE id = $1', [2], { prepare: true }));
  await sql`SELECT nope FROM account`.catch((e) => console.log(e.code, e.message, e.position));
  show(await sql`SELECT greet(${4}::int)`);
  const into = await sql`COPY item (shelf, place, name) FROM STDIN`.writable();
  await new Promise((done, failed) => { into.on('finish', done); into.on('error', failed); into.write('8\t1\teight\n'); into.end('8\t2\tmore\n'); });
  const out = await sql`COPY (SELECT shelf, name FROM item WHERE shelf = 8 ORDER BY place) TO STDOUT`.readable();
  let copied = '';
  for await (const chunk of out) copied += chunk;
  console.log(JSON.stringify(copied));
  show(await sql`SELECT * FROM account ORDER BY id`);
  await sql.end();
}

main().catch((e) => { console.error(e); process.exit(1); });
