"""psycopg2: simple queries only, with cursors of the server, COPY, notices and errors."""
import io

import psycopg2
import psycopg2.errors
import psycopg2.extensions
import psycopg2.extras

connection = psycopg2.connect("")
cursor = connection.cursor()
cursor.execute("SET search_path = shop")
cursor.execute("SELECT id, owner, balance FROM account WHERE id = %s", (3,))
print([column.name for column in cursor.description], cursor.fetchall(), cursor.rowcount)
cursor.execute("SELECT * FROM item WHERE shelf = %s ORDER BY place", (1,))
print(cursor.fetchmany(2), cursor.fetchone(), cursor.fetchall())
cursor.execute("UPDATE account SET balance = balance + 1 WHERE id < 5 RETURNING id, balance")
print(sorted(cursor.fetchall()), cursor.rowcount, cursor.statusmessage)
cursor.executemany("UPDATE account SET owner = %s WHERE id = %s", [("a", 1), ("b", 2), ("c", 99)])
print(cursor.rowcount)
rows = psycopg2.extras.execute_values(
    cursor,
    "INSERT INTO item (shelf, place, name, tags) VALUES %s RETURNING shelf, place",
    [(7, 1, "x", ["y"]), (7, 2, None, [])],
    fetch=True,
)
print(rows)
psycopg2.extras.execute_batch(cursor, "UPDATE account SET balance = %s WHERE id = %s", [(1, 8), (2, 9)])
connection.commit()

with connection.cursor("named") as named:
    named.itersize = 4
    named.execute("SELECT id, owner FROM shop.account ORDER BY id")
    print([row for row in named])
with connection.cursor("scrolled", scrollable=True) as named:
    named.execute("SELECT id FROM shop.account ORDER BY id")
    named.scroll(5)
    print(named.fetchmany(2))
    named.scroll(-3)
    print(named.fetchone())
connection.rollback()

cursor.execute("SET search_path = shop")
cursor.copy_expert("COPY account FROM STDIN", io.StringIO("40\tforty\t4\n41\tforty one\t4.25\n"))
out = io.StringIO()
cursor.copy_expert("COPY (SELECT * FROM account WHERE id >= 40 ORDER BY id) TO STDOUT", out)
print(repr(out.getvalue()))
cursor.callproc("greet", (41,))
print(cursor.fetchone(), connection.notices)
try:
    cursor.execute("INSERT INTO account VALUES (1, 'twice', 0)")
except psycopg2.errors.UniqueViolation as error:
    print(error.pgcode, error.diag.constraint_name, error.diag.table_name, str(error))
connection.rollback()

connection.set_session(isolation_level="SERIALIZABLE")
with connection:
    cursor.execute("SELECT count(*) FROM shop.account")
    print(cursor.fetchone())
    cursor.execute("INSERT INTO shop.event (what) VALUES ('e') RETURNING id")
    print(cursor.fetchone())
connection.set_session(isolation_level="READ COMMITTED", autocommit=True)
cursor.execute("LISTEN here")
cursor.execute("NOTIFY here, 'payload'")
connection.poll()
print([(note.channel, note.payload) for note in connection.notifies])
try:
    cursor.execute("SELECT owner\nFROM shop.account WHERE nope = 1")
except psycopg2.Error as error:
    print(error.pgcode, str(error))
cursor.execute("SELECT 1; SELECT owner FROM shop.account WHERE id = 1")
print(cursor.fetchall())
cursor.execute("SELECT * FROM shop.account ORDER BY id")
print(cursor.fetchall())
connection.close()
