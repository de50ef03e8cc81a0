"""The knowledge file: the only package that imports peewee. Core values go in and come out, models never leave."""
