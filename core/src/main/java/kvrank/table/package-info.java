/** The content of tables, as values. */
package kvrank.table;
