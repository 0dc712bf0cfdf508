// lib/pq: database/sql with prepared statements, COPY, listening, errors.
package main

import (
	"database/sql"
	"fmt"
	"log"

	"github.com/lib/pq"
)

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func show(rows *sql.Rows, err error) {
	check(err)
	defer rows.Close()
	names, _ := rows.Columns()
	fmt.Println(names)
	values := make([]interface{}, len(names))
	for i := range values {
		values[i] = new(sql.NullString)
	}
	for rows.Next() {
		check(rows.Scan(values...))
		for _, value := range values {
			fmt.Print(value.(*sql.NullString).String, " ")
		}
		fmt.Println()
	}
	check(rows.Err())
}

func main() {
	for _, settings := range []string{"search_path=shop", "search_path=shop binary_parameters=yes"} {
		db, err := sql.Open("postgres", settings)
		check(err)
		db.SetMaxOpenConns(1)
		show(db.Query("SELECT * FROM account WHERE id < 4 ORDER BY id"))
		show(db.Query("SELECT owner, balance FROM account WHERE id = $1", 5))
		statement, err := db.Prepare("SELECT name FROM item WHERE shelf = $1 AND place = $2")
		check(err)
		for place := 0; place < 3; place++ {
			show(statement.Query(1, place))
		}
		check(statement.Close())
		tx, err := db.Begin()
		check(err)
		result, err := tx.Exec("UPDATE account SET balance = balance + 1 WHERE id <= $1", 3)
		check(err)
		fmt.Println(result.RowsAffected())
		var id int
		check(tx.QueryRow("INSERT INTO event (what) VALUES ($1) RETURNING id", "go").Scan(&id))
		fmt.Println(id)
		check(tx.Commit())
		tx, err = db.Begin()
		check(err)
		copied, err := tx.Prepare(pq.CopyIn("item", "shelf", "place", "name"))
		check(err)
		for place := 0; place < 3; place++ {
			_, err = copied.Exec(6, place, fmt.Sprint("copied ", place))
			check(err)
		}
		_, err = copied.Exec()
		check(err)
		check(copied.Close())
		show(tx.Query("SELECT name FROM item WHERE shelf = 6 ORDER BY place"))
		check(tx.Rollback())
		_, err = db.Exec("INSERT INTO account VALUES (1, 'twice', 0)")
		failure := err.(*pq.Error)
		fmt.Println(failure.Code, failure.Message, failure.Constraint)
		_, err = db.Query("SELECT nope FROM account WHERE id = $1", 1)
		failure = err.(*pq.Error)
		fmt.Println(failure.Code, failure.Message, failure.Position)
		show(db.Query("SELECT greet($1)", 2))
		show(db.Query("SELECT * FROM account ORDER BY id"))
		check(db.Close())
	}
}
