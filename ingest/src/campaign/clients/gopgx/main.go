// pgx v4: binary formats, cached statements, batches, COPY, transactions.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/jackc/pgconn"
	"github.com/jackc/pgx/v4"
)

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func show(rows pgx.Rows, err error) {
	check(err)
	defer rows.Close()
	for _, field := range rows.FieldDescriptions() {
		fmt.Print(string(field.Name), ":", field.DataTypeOID, ":", field.Format, " ")
	}
	fmt.Println()
	for rows.Next() {
		values, err := rows.Values()
		check(err)
		for _, value := range values {
			fmt.Printf("%v ", value)
		}
		fmt.Println()
	}
	check(rows.Err())
	fmt.Println(string(rows.CommandTag()))
}

func main() {
	ctx := context.Background()
	for _, simple := range []bool{false, true} {
		config, err := pgx.ParseConfig("search_path=shop")
		check(err)
		config.PreferSimpleProtocol = simple
		config.OnNotice = func(_ *pgconn.PgConn, notice *pgconn.Notice) { fmt.Println("notice", notice.Message) }
		connection, err := pgx.ConnectConfig(ctx, config)
		check(err)
		for id := 1; id < 4; id++ {
			show(connection.Query(ctx, "SELECT id, owner FROM account WHERE id = $1", id))
		}
		show(connection.Query(ctx, "SELECT shelf, place, tags FROM item WHERE shelf = $1 ORDER BY place", 1))
		show(connection.Query(ctx, "UPDATE account SET owner = owner || '!' WHERE id < $1 RETURNING id, owner", 3))
		batch := &pgx.Batch{}
		batch.Queue("UPDATE account SET balance = balance - 1 WHERE id = $1", 4)
		batch.Queue("SELECT owner FROM account WHERE id = $1", 4)
		batch.Queue("INSERT INTO event (what) VALUES ($1) RETURNING id", "batched")
		results := connection.SendBatch(ctx, batch)
		tag, err := results.Exec()
		fmt.Println(tag, err)
		show(results.Query())
		show(results.Query())
		check(results.Close())
		tx, err := connection.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.Serializable})
		check(err)
		count, err := tx.CopyFrom(ctx, pgx.Identifier{"item"}, []string{"shelf", "place", "name"},
			pgx.CopyFromRows([][]interface{}{{5, 0, "zero"}, {5, 1, nil}}))
		fmt.Println(count, err)
		show(tx.Query(ctx, "SELECT place, name FROM item WHERE shelf = $1 ORDER BY place", 5))
		inner, err := tx.Begin(ctx)
		check(err)
		_, err = inner.Exec(ctx, "INSERT INTO account VALUES (1, 'twice', 0)")
		failure := err.(*pgconn.PgError)
		fmt.Println(failure.Code, failure.Message, failure.ConstraintName)
		check(inner.Rollback(ctx))
		check(tx.Rollback(ctx))
		_, err = connection.Query(ctx, "SELECT nope FROM account")
		if err == nil {
			_, err = connection.Exec(ctx, "SELECT nope FROM account")
		}
		fmt.Println(err)
		show(connection.Query(ctx, "SELECT greet($1)", 3))
		show(connection.Query(ctx, "SELECT id, owner FROM account ORDER BY id"))
		check(connection.Close(ctx))
	}
}
