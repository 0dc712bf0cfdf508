"""psycopg 3: extended queries, binary results, prepared statements, pipelines, server-side cursors, COPY."""
import psycopg
from psycopg.rows import dict_row

connection = psycopg.connect("", prepare_threshold=0)
connection.add_notice_handler(lambda note: print("notice", note.message_primary))
connection.execute("SET search_path = shop")
for n in (1, 2, 2):
    cursor = connection.execute("SELECT id, owner, balance FROM account WHERE id = %s", (n,))
    print([(column.name, column.type_code) for column in cursor.description], cursor.fetchall())
with connection.cursor(binary=True, row_factory=dict_row) as cursor:
    cursor.execute("SELECT * FROM item WHERE shelf = %s ORDER BY place", (2,))
    print(cursor.fetchall())
    cursor.execute("UPDATE account SET balance = balance - %s WHERE id = %s RETURNING balance", (2, 5))
    print(cursor.fetchall(), cursor.rowcount, cursor.statusmessage)
    cursor.execute("SELECT a.owner, i.name FROM account a JOIN item i ON i.shelf = a.id WHERE i.place = 0 ORDER BY 1")
    print(cursor.fetchall())
with connection.cursor() as cursor:
    cursor.executemany("INSERT INTO event (what) VALUES (%s) RETURNING id", [("a",), ("b",)], returning=True)
    print(cursor.fetchone(), cursor.nextset(), cursor.fetchone(), cursor.nextset())
    cursor.execute("SELECT greet(%s)", (3,))
    print(cursor.fetchone())
connection.commit()

with connection.pipeline() as pipeline:
    first = connection.execute("SELECT owner FROM account WHERE id = %s", (6,))
    second = connection.execute("UPDATE account SET owner = 'piped' WHERE id = %s", (6,))
    third = connection.execute("SELECT owner FROM account WHERE id = %s", (6,))
    pipeline.sync()
    print(first.fetchall(), second.rowcount, third.fetchall())
try:
    with connection.pipeline():
        connection.execute("UPDATE account SET owner = 'lost' WHERE id = %s", (7,))
        connection.execute("SELECT 1 / (id - id) FROM account WHERE id = %s", (7,))
        connection.execute("UPDATE account SET owner = 'lost' WHERE id = %s", (8,))
except psycopg.Error as error:
    print(error.sqlstate, str(error))
connection.rollback()
print(connection.execute("SELECT owner FROM shop.account WHERE id IN (7, 8) ORDER BY id").fetchall())

with connection.cursor("served") as cursor:
    cursor.itersize = 3
    cursor.execute("SELECT id, owner FROM shop.account WHERE id > %s ORDER BY id", (10,))
    print(cursor.fetchmany(2), [row for row in cursor])
with connection.cursor("binary", binary=True, scrollable=True) as cursor:
    cursor.execute("SELECT id, balance FROM shop.account ORDER BY id")
    cursor.scroll(4)
    print(cursor.fetchone())
with connection.cursor() as cursor:
    with cursor.copy("COPY shop.account FROM STDIN") as copy:
        copy.write_row((50, "fifty", 5))
        copy.write_row((51, None, 5.5) if False else (51, "more", 5.5))
    with cursor.copy("COPY (SELECT id, owner FROM shop.account WHERE id > 48 ORDER BY id) TO STDOUT (FORMAT BINARY)") as copy:
        copy.set_types(["int4", "text"])
        print(list(copy.rows()))
connection.commit()

try:
    with connection.transaction():
        connection.execute("UPDATE shop.account SET owner = 'inner' WHERE id = 9")
        with connection.transaction():
            connection.execute("INSERT INTO shop.account VALUES (9, 'twice', 0)")
except psycopg.errors.UniqueViolation as error:
    print(error.sqlstate, error.diag.constraint_name, error.diag.message_detail)
connection.autocommit = True
connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
with connection.transaction():
    print(connection.execute("SELECT sum(balance) FROM shop.account").fetchone())
    print(connection.execute("DELETE FROM shop.item WHERE shelf = 0 AND place = 0").rowcount)
for stream in connection.cursor().stream("SELECT id, owner FROM shop.account WHERE id < %s ORDER BY id", (4,)):
    print(stream)
print(connection.execute("SELECT * FROM shop.account ORDER BY id").fetchall())
connection.close()
