int foo(void);

int foo(void)
{
    return 1;
}
