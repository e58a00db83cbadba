#!/usr/bin/env python3
"""Writes spark.tar.gz: tables that Spark and Iceberg's Java library wrote, with the rows that
Spark reads of them. spark_test.go reads the same.

usage: spark.py JAR        pyspark 4.1 and iceberg-spark-runtime-4.1_2.13 1.11.0
"""
import json, os, shutil, sys, tarfile

from pyspark.sql import SparkSession

here = os.path.dirname(os.path.abspath(__file__))
WAREHOUSE = "/tmp/winnow-spark"  # all paths in the tables begin with it
shutil.rmtree(WAREHOUSE, ignore_errors=True)
spark = (SparkSession.builder.master("local[1]")
         .config("spark.jars", sys.argv[1])
         .config("spark.sql.extensions", "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions")
         .config("spark.sql.catalog.c", "org.apache.iceberg.spark.SparkCatalog")
         .config("spark.sql.catalog.c.type", "hadoop")
         .config("spark.sql.catalog.c.warehouse", WAREHOUSE)
         .config("spark.sql.session.timeZone", "UTC")
         .config("spark.sql.shuffle.partitions", "1")
         .config("spark.ui.enabled", "false")
         .getOrCreate())
spark.sparkContext.setLogLevel("ERROR")
jvm = spark._jvm
MERGE = "'write.delete.mode'='merge-on-read', 'write.update.mode'='merge-on-read', 'write.merge.mode'='merge-on-read'"
SAMPLE = ("SELECT id, element_at(array('EU', 'US', 'AP'), cast(id % 3 + 1 as int)) AS region, cast(id % 100 AS double) + 0.5 AS price, "
          "CASE WHEN id % 11 = 0 THEN NULL ELSE concat('name ', id % 13) END AS name FROM range({}, {})")


def sql(*statements):
    for s in statements:
        spark.sql(s)


def positions():
    sql(f"CREATE TABLE c.t.positions (id bigint, region string, price double, name string) USING iceberg PARTITIONED BY (region) "
        f"TBLPROPERTIES ('format-version'='2', {MERGE})",
        "INSERT INTO c.t.positions " + SAMPLE.format(0, 300),
        "DELETE FROM c.t.positions WHERE price < 10",
        "UPDATE c.t.positions SET name = 'changed', price = 77.5 WHERE id % 50 = 20",
        "INSERT INTO c.t.positions " + SAMPLE.format(300, 400),
        "DELETE FROM c.t.positions WHERE name = 'name 5' AND region = 'EU'")


def vectors():
    sql(f"CREATE TABLE c.t.vectors (id bigint, region string, price double, name string) USING iceberg TBLPROPERTIES ('format-version'='3', {MERGE})",
        "INSERT INTO c.t.vectors " + SAMPLE.format(0, 300),
        "DELETE FROM c.t.vectors WHERE id BETWEEN 30 AND 90 OR id % 17 = 0",
        "UPDATE c.t.vectors SET price = 1.5 WHERE id % 40 = 3",
        "INSERT INTO c.t.vectors " + SAMPLE.format(300, 350),
        "DELETE FROM c.t.vectors WHERE id IN (1, 301, 349)",
        "CALL c.system.rewrite_data_files(table => 't.vectors', options => map('rewrite-all', 'true'))",
        "DELETE FROM c.t.vectors WHERE id = 5")


def evolved():
    sql("CREATE TABLE c.t.evolved (id int, f float, dec decimal(5, 2), old string, gone int, st struct<x: int, y: string>, ts timestamp, day date, tags array<string>) "
        "USING iceberg PARTITIONED BY (days(ts)) TBLPROPERTIES ('format-version'='2')",
        "INSERT INTO c.t.evolved SELECT cast(id AS int), cast(id + 0.5 AS float), cast(id + 0.25 AS decimal(5, 2)), concat('o', id % 5), cast(id AS int), "
        "named_struct('x', cast(id AS int), 'y', 'why'), timestamp'2024-01-01 00:00:01' + make_interval(0, 0, 0, cast(id % 3 AS int)), date'2024-05-01', array('a', null, 'b') FROM range(0, 60)",
        "ALTER TABLE c.t.evolved ALTER COLUMN id TYPE bigint",
        "ALTER TABLE c.t.evolved ALTER COLUMN f TYPE double",
        "ALTER TABLE c.t.evolved ALTER COLUMN dec TYPE decimal(18, 2)",
        "ALTER TABLE c.t.evolved RENAME COLUMN old TO renamed",
        "ALTER TABLE c.t.evolved DROP COLUMN gone",
        "ALTER TABLE c.t.evolved ADD COLUMN gone string",
        "ALTER TABLE c.t.evolved ADD COLUMN st.z bigint",
        "ALTER TABLE c.t.evolved RENAME COLUMN st.x TO ex",
        "ALTER TABLE c.t.evolved ADD COLUMN old bigint FIRST",
        "ALTER TABLE c.t.evolved DROP PARTITION FIELD days(ts)",
        "ALTER TABLE c.t.evolved ADD PARTITION FIELD renamed",
        "ALTER TABLE c.t.evolved ADD PARTITION FIELD bucket(2, id)",
        "INSERT INTO c.t.evolved SELECT id, id, cast(id + 0.5 AS double), cast(id + 0.25 AS decimal(18, 2)), concat('r', id % 5), "
        "named_struct('ex', cast(id AS int), 'y', null, 'z', id), timestamp'2024-01-02 00:00:01', date'2024-05-02', null, 'g' FROM range(60, 80)")


def equality():
    """Equality deletes, by Iceberg's own writer: Spark writes none."""
    sql("CREATE TABLE c.t.equality (id bigint, region string, price double, name string, code int) USING iceberg TBLPROPERTIES ('format-version'='2')",
        "INSERT INTO c.t.equality SELECT *, cast(id AS int) FROM (" + SAMPLE.format(0, 200) + ")")

    def delete(names, rows):
        table = jvm.org.apache.iceberg.spark.Spark3Util.loadIcebergTable(spark._jsparkSession, "c.t.equality")
        columns = jvm.java.util.ArrayList()
        for name in names:
            columns.add(name)
        schema = table.schema().select(columns)
        ids = spark.sparkContext._gateway.new_array(jvm.int, len(names))
        for i, name in enumerate(names):
            ids[i] = table.schema().findField(name).fieldId()
        builder = getattr(jvm.org.apache.iceberg.data, "GenericFileWriterFactory$Builder")(table)
        factory = builder.equalityFieldIds(ids).equalityDeleteRowSchema(schema).build()
        path = f"{table.location()}/data/eq-{'-'.join(names)}.parquet"
        out = jvm.org.apache.iceberg.encryption.EncryptedFiles.plainAsEncryptedOutput(table.io().newOutputFile(path))
        writer = factory.newEqualityDeleteWriter(out, table.spec(), None)
        for row in rows:
            record = jvm.org.apache.iceberg.data.GenericRecord.create(schema)
            for name, value in row.items():
                record.setField(name, value)
            writer.write(record)
        writer.close()
        table.newRowDelta().addDeletes(writer.toDeleteFile()).commit()
        sql("REFRESH TABLE c.t.equality")

    delete(["code"], [{"code": 5}, {"code": 77}])
    sql("INSERT INTO c.t.equality SELECT *, cast(id AS int) FROM (" + SAMPLE.format(0, 20) + ")")
    delete(["region", "name"], [{"region": "EU", "name": "name 3"}, {"region": "US", "name": None}])
    sql("INSERT INTO c.t.equality SELECT *, cast(id AS int) FROM (" + SAMPLE.format(200, 220) + ")")


# What is asked of each table: a snapshot (its number from the first one on, or none), columns, a condition in
# SQL, and the same for spark_test.go, in the JSON that Iceberg's REST protocol has for conditions.
QUERIES = {
    "positions": [
        (None, "*", None, None),
        (None, "*", "region = 'EU' AND price > 50", {"type": "and", "left": {"type": "eq", "term": "region", "value": "EU"}, "right": {"type": "gt", "term": "price", "value": 50.0}}),
        (None, "id, _file, _pos", "name = 'changed'", {"type": "eq", "term": "name", "value": "changed"}),
        (0, "*", None, None), (1, "*", None, None), (2, "id", None, None),
    ],
    "vectors": [
        (None, "*", None, None),
        (None, "*, _file, _pos, _row_id, _last_updated_sequence_number", None, None),
        (None, "id, _row_id", "price < 40", {"type": "lt", "term": "price", "value": 40.0}),
        (1, "*", None, None), (2, "id, _row_id, _last_updated_sequence_number", None, None), (4, "*", "region = 'US'", {"type": "eq", "term": "region", "value": "US"}),
    ],
    "evolved": [
        (None, "*", None, None),
        (None, "id, renamed", "renamed = 'o3'", {"type": "eq", "term": "renamed", "value": "o3"}),
        (None, "old, st", "gone IS NULL", {"type": "is-null", "term": "gone"}),
        (None, "ts, day", "st.ex > 50", {"type": "gt", "term": "st.ex", "value": 50}),
        (None, "dec", "st.z IS NOT NULL", {"type": "not-null", "term": "st.z"}),
        (0, "*", None, None),
    ],
    "equality": [
        (None, "*", None, None),
        (None, "id", "region = 'EU'", {"type": "eq", "term": "region", "value": "EU"}),
        (1, "*", None, None),
    ],
}


def text(kind, value):
    if value is None:
        return "(null)"
    if kind == "timestamp":
        return value.strftime("%Y-%m-%dT%H:%M:%SZ")
    if kind.startswith("struct"):
        return json.dumps(value.asDict(), separators=(",", ":"))
    if kind.startswith("array"):
        return json.dumps(value, separators=(",", ":"))
    return str(value)


os.environ["TZ"] = "UTC"
spark.sql("CREATE NAMESPACE IF NOT EXISTS c.t")
answers = {}
for make in (positions, vectors, evolved, equality):
    name = make.__name__
    make()
    snapshots = [r.snapshot_id for r in spark.sql(f"SELECT snapshot_id FROM c.t.{name}.snapshots ORDER BY committed_at").collect()]
    answers[name] = []
    for number, columns, where, condition in QUERIES[name]:
        at = f" VERSION AS OF {snapshots[number]}" if number is not None else ""
        df = spark.sql(f"SELECT {columns} FROM c.t.{name}{at}" + (f" WHERE {where}" if where else ""))
        rows = [" ".join(f"{n}={text(k, r[i])}" for i, (n, k) in enumerate(df.dtypes)) for r in df.collect()]
        answers[name].append({"snapshot": snapshots[number] if number is not None else 0, "columns": df.columns, "filter": condition, "rows": sorted(rows)})
        print(name, number, columns, where, len(rows), "rows")
with open(os.path.join(WAREHOUSE, "answers.json"), "w") as f:
    json.dump(answers, f, separators=(",", ":"))
with tarfile.open(os.path.join(here, "spark.tar.gz"), "w:gz") as tar:
    for folder, _, files in sorted(os.walk(WAREHOUSE)):
        for file in sorted(files):
            if not file.endswith(".crc"):
                path = os.path.join(folder, file)
                tar.add(path, os.path.relpath(path, WAREHOUSE))
